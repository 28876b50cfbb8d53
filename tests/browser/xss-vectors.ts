/**
 * Attempts to make a page run something, as markdown and as HTML: elements and handlers, schemes
 * spelled in every way that a browser forgives, and the two in each place that a document has for
 * them. Every attempt would set `window.__xss` or open a dialog.
 */
const run = 'window.__xss=1'

const schemes = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  ` javascript:${run}`,
  `java\tscript:${run}`,
  `java\nscript:${run}`,
  `java\rscript:${run}`,
  `\u0001javascript:${run}`,
  `\u0000javascript:${run}`,
  `\u00a0javascript:${run}`,
  `javascript&colon;${run}`,
  `javascript&#58;${run}`,
  `javascript&#x3a;${run}`,
  `&#106;avascript:${run}`,
  `&#x6A;avascript:${run}`,
  `java&Tab;script:${run}`,
  `java&NewLine;script:${run}`,
  `javascript\\:${run}`,
  `javascript://%0a${run}`,
  `javascript:/*--></title></style>*/${run}`,
  `vbscript:${run}`,
  `livescript:${run}`,
  `data:text/html,<script>parent.${run}</script>`,
  `data:text/html;base64,PHNjcmlwdD53aW5kb3cuX194c3M9MTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${run}'/>`,
  `DATA:text/html,x`,
  `blob:https://example.com/x`,
  `file:///etc/passwd`,
  `view-source:javascript:${run}`,
  `feed:javascript:${run}`,
  `jar:javascript:${run}!/`,
]

const handlers = [
  `<img src=x onerror=${run}>`,
  `<img src=x onerror="${run}"//`,
  `<img/src=x/onerror=${run}>`,
  `<img src="x" \u00a0onerror=${run}>`,
  `<IMG SRC=x OnErRoR=${run}>`,
  `<img src=x:x onerror=${run} alt=">">`,
  `<svg onload=${run}>`,
  `<svg/onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text x=0 y=20>x</text></a></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to=javascript:${run}>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${run}</script>"></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${run}>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}></style></table></mtext></math>`,
  `<math href="javascript:${run}">x</math>`,
  `<script>${run}</script>`,
  `<script src=data:text/javascript,${run}></script>`,
  `<script type=module>${run}</script>`,
  `<SCRIPT>${run}</SCRIPT>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<script/x>${run}</script>`,
  `</script><script>${run}</script>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<iframe onload=${run}></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<body onload=${run}>`,
  `<html onmouseover=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<select autofocus onfocus=${run}>`,
  `<textarea autofocus onfocus=${run}>`,
  `<keygen autofocus onfocus=${run}>`,
  `<button formaction=javascript:${run}>x</button>`,
  `<form action=javascript:${run}><input type=submit></form>`,
  `<details open ontoggle=${run}>x</details>`,
  `<video src=x onerror=${run}></video>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}></audio>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<link rel=stylesheet href=data:text/css,*{}>`,
  `<link rel=import href=data:text/html,x>`,
  `<base href=javascript:/>`,
  `<style>@import 'javascript:${run}';</style>`,
  `<style>*{background:url(javascript:${run})}</style>`,
  `<div style="background:url(javascript:${run})">x</div>`,
  `<div style="width:expression(${run})">x</div>`,
  `<div onpointerover=${run}>x</div>`,
  `<p onclick=${run}>x</p>`,
  `<a href=javascript:${run}>x</a>`,
  `<a href="java&#10;script:${run}">x</a>`,
  `<a href=# onclick=${run}>x</a>`,
  `<a target=_blank ping=javascript:${run} href=x>x</a>`,
  `<area href=javascript:${run}>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<title><img src=x onerror=${run}></title>`,
  `<xmp><img src=x onerror=${run}></xmp>`,
  `<!--><img src=x onerror=${run}>-->`,
  `<!--[if gte IE 4]><script>${run}</script><![endif]-->`,
  `<![CDATA[<img src=x onerror=${run}>]]>`,
  `<?xml version="1.0"?><x onload=${run}/>`,
  `<!DOCTYPE x [<!ENTITY y "z">]>`,
  `<isindex action=javascript:${run} type=image>`,
  `<x contenteditable onblur=${run}>x</x>`,
  `<slot onslotchange=${run}></slot>`,
  `<dialog open onclose=${run}>x</dialog>`,
  `<table background=javascript:${run}><tr><td>x</table>`,
  `<td data-align="left" onclick=${run}>x</td>`,
  `<pre data-html-block onclick=${run}><img src=x onerror=${run}></pre>`,
  `<code data-html-inline><img src=x onerror=${run}></code>`,
  `<pre data-front-matter>x: <img src=x onerror=${run}></pre>`,
  `<li data-checked="true" onclick=${run}>x</li>`,
  `<span data-by="x" onmouseover=${run}>x</span>`,
  `<p data-id="bid_x&quot; onclick=${run}">x</p>`,
  `<div data-pm-slice='0 0 ["x",{"onclick":"${run}"}]'><p onclick=${run}>x</p></div>`,
  `"><img src=x onerror=${run}>`,
  `'><script>${run}</script>`,
  `\`><img src=x onerror=${run}>`,
]

const inLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** Each scheme in each place of markdown that takes an address. */
const addressed = schemes.flatMap((address) => [
  `[x](${inLine(address)})`,
  `[x](<${address}>)`,
  `![x](<${inLine(address)}>)`,
  `<${inLine(address)}>`,
  `[![x](<${inLine(address)}>)](<${inLine(address)}>)`,
])

/** Each element in each place of markdown that takes HTML, or might. */
const placed = handlers.flatMap((html) => [
  html,
  `words ${inLine(html)} words`,
  `[${inLine(html)}](/x "${inLine(html).replaceAll('"', "'")}")`,
])

const inInfo = handlers
  .slice(0, 20)
  .map((html) => `\`\`\`js ${inLine(html).replaceAll('`', '')}\nx\n\`\`\``)

/** Blocks of markdown, one attempt each. */
export const markdownVectors: readonly string[] = [...addressed, ...placed, ...inInfo]

/** HTML as a clipboard has it, one attempt each. */
export const htmlVectors: readonly string[] = [
  ...handlers,
  ...schemes.flatMap((address) => {
    const attribute = address.replaceAll('"', '&quot;')
    return [`<a href="${attribute}">x</a>`, `<img src="${attribute}" alt="x">`]
  }),
]

/** Addresses as a live editor may write them, straight into marks and attributes. */
export const addressVectors: readonly string[] = schemes

export const handlerVectors: readonly string[] = handlers
