// The worker of pdf.js reads and lays out documents beside the page.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
