import { type Payload, script } from './payload.ts'

/** Documents that navigate to another page or open one. */
export const navigations: Payload[] = [
  { name: 'refresh', html: ({ http }) => `<meta http-equiv=refresh content="0;url=${http}/a.html">` },
  {
    name: 'refresh-in-frame',
    html: ({ http }) => `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${http}/a.html'>"></iframe>`,
  },
  { name: 'location', html: ({ http }) => script(`location = '${http}/a.html'`) },
  { name: 'location-later', html: ({ http }) => script(`setTimeout(() => location.replace('${http}/a.html'), 30)`) },
  {
    name: 'location-of-top',
    html: ({ http }) => `<iframe srcdoc="<script>top.location='${http}/a.html'</script>"></iframe>`,
  },
  { name: 'navigation-api', html: ({ http }) => script(`navigation.navigate('${http}/a.html')`) },
  {
    name: 'link-click',
    html: ({ http }) => script(`const a = document.createElement('a'); a.href = '${http}/a.html'; a.click()`),
  },
  {
    name: 'link-click-new',
    html: ({ http }) =>
      script(`const a = document.createElement('a'); a.href = '${http}/a.html'; a.target = '_blank'; a.click()`),
  },
  {
    name: 'link-download',
    html: ({ http }) =>
      script(`const a = document.createElement('a'); a.href = '${http}/a.bin'; a.download = 'x'; a.click()`),
  },
  { name: 'iframe-download', html: ({ http }) => `<iframe src="${http}/a.bin"></iframe>` },
  { name: 'popup', html: ({ http }) => script(`open('${http}/a.html')`) },
  {
    name: 'popup-opener',
    html: ({ http }) => script(`const w = open('about:blank'); w.document.write('<img src="${http}/a.svg">')`),
  },
  { name: 'popup-without-opener', html: ({ http }) => script(`open('${http}/a.html', '_blank', 'noopener,width=9')`) },
  {
    name: 'form-get',
    html: ({ http }) =>
      script(`document.body.innerHTML = '<form action="${http}/a.html"><input name=x>'; document.forms[0].submit()`),
  },
  {
    name: 'form-post',
    html: ({ http }) =>
      script(`document.body.innerHTML = '<form method=post action="${http}/a.html">'; document.forms[0].submit()`),
  },
  {
    name: 'form-into-frame',
    html: ({ http }) =>
      script(`document.body.innerHTML = '<iframe name=f></iframe><form method=post target=f action="${http}/a.html">'
      document.forms[0].requestSubmit()`),
  },
  {
    name: 'form-into-popup',
    html: ({ http }) =>
      script(`document.body.innerHTML = '<form target=_blank action="${http}/a.html">'; document.forms[0].submit()`),
  },
  { name: 'view-source', reaches: 'none', html: ({ http }) => script(`open('view-source:${http}/a.html', '_self')`) },
  {
    name: 'history-and-base',
    html: ({ http }) =>
      script(`history.pushState(1, '', '#q')
      document.head.innerHTML = '<base href="${http}/">'; new Image().src = 'a.svg'`),
  },
]
