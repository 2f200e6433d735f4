# Reads lines of JSON, {"html": ...}, and prints the size of each PDF. A running process is the fastest way to use WeasyPrint.
import json
import logging
import sys

from weasyprint import HTML

logging.getLogger('weasyprint').setLevel(logging.CRITICAL)
print('ready', flush=True)
for line in sys.stdin:
    print(len(HTML(string=json.loads(line)['html']).write_pdf()), flush=True)
