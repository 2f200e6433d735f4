# One JSON line {"html": ...} in, the size of its PDF out; a process that is kept running, WeasyPrint at its quickest.
import json
import logging
import sys

from weasyprint import HTML

logging.getLogger('weasyprint').setLevel(logging.CRITICAL)
print('ready', flush=True)
for line in sys.stdin:
    print(len(HTML(string=json.loads(line)['html']).write_pdf()), flush=True)
