/** Content that a page must show as text and never run, load or follow. The host `elsewhere.invalid` does not exist. */
import type { Part } from '@parley/a2a';
import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

const SCRIPT = '<script>globalThis.hostile = "ran"; alert("hostile")</script>';
const IMAGE = '<img src="x" onerror="globalThis.hostile = \'ran\'; alert(\'hostile\')">';
const BEACON = 'https://elsewhere.invalid/beacon';

const TEXT = `Markup: ${SCRIPT} ${IMAGE} <iframe src="${BEACON}?frame"></iframe> <b>not bold</b>

Links: [click me](javascript:globalThis.hostile='ran') and [me](data:text/html,${encodeURIComponent(SCRIPT)}) and [me](vbscript:x)

Pictures: ![beacon](${BEACON}?markdown) ![inline](data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)})

<style>body { display: none !important }</style><base href="${BEACON}"><meta http-equiv="refresh" content="0;url=${BEACON}?refresh"><form action="${BEACON}"><button>send</button></form>

One word: ${'wide'.repeat(500)}

Marks: e${'\u0301'.repeat(60)}, back\u202Eward\u202C, zero\u200B\u200C\u200Dwidth, bell\u0007, null\u0000, escape \u001B[31mred\u001B[0m, tab\tand\rreturn, \uFEFFmark

\`\`\`html
${SCRIPT}
\`\`\`
`;

const FILES: readonly { readonly name: string; readonly part: Part }[] = [
  { name: `${IMAGE}.txt`, part: { text: IMAGE, filename: `${IMAGE}.txt`, mediaType: 'text/plain' } },
  { name: 'page.html', part: { text: `<!doctype html>${SCRIPT}${IMAGE}`, filename: 'page.html', mediaType: 'text/html' } },
  {
    name: 'picture.svg',
    part: {
      text: `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}<image href="${BEACON}?svg"/></svg>`,
      filename: 'picture.svg',
      mediaType: 'image/svg+xml',
    },
  },
  { name: '../../../../etc/passwd', part: { text: 'root?', filename: '../../../../etc/passwd', mediaType: 'text/plain' } },
  { name: 'invoice\u202Efdp.exe', part: { text: 'MZ', filename: 'invoice\u202Efdp.exe', mediaType: 'application/pdf' } },
  { name: 'no picture.png', part: { raw: 'bm90IGEgcGljdHVyZQ==', filename: 'no picture.png', mediaType: 'image/png' } },
  { name: 'far away.png', part: { url: `${BEACON}?file`, filename: 'far away.png', mediaType: 'image/png' } },
  { name: 'a link', part: { url: "javascript:globalThis.hostile='ran'", filename: 'a link', mediaType: 'text/html' } },
];

export const hostile: Ability = {
  word: 'hostile',
  name: 'Send hostile content',
  about:
    'Sends HTML, scripts, tracking links and broken characters in texts, names and data. A safe page shows them as text and runs none.',
  async run(context, events) {
    await events.working(`Working on ${SCRIPT}${IMAGE}`);
    await speak({ context, events }, IMAGE, TEXT, { name: `${SCRIPT}${IMAGE}` });
    for (const [index, { name, part }] of FILES.entries())
      await events.artifact({ artifactId: `file-${index}`, name, parts: [part] }, { last: true });
    await events.data(toData(), { id: 'data', name: `${IMAGE} data` });
    await events.complete(`Done ${SCRIPT}${IMAGE}`);
  },
};

/** Names of built-in object members and deep nesting, in addition to the markup. */
function toData(): unknown {
  const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => [inner], SCRIPT);
  return { [IMAGE]: SCRIPT, constructor: IMAGE, toString: SCRIPT, dangerouslySetInnerHTML: { __html: SCRIPT }, deep };
}
