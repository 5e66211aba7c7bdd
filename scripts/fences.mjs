// The code blocks of a document, by the words of their fences. `check-docs.mjs` compiles them, `test/guides.test.ts` runs them.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installBeside, root } from './setup.mjs';

/**
 * @typedef {object} Block
 * @property {'ts' | 'tsx'} language
 * @property {number} line of the fence in the document, from 1
 * @property {string} code
 * @property {boolean} isModule false for a fragment, which is neither compiled nor run
 * @property {'alone' | 'agent' | 'caller'} [run] how it runs; a block without it is only compiled
 * @property {string[]} expect texts that it prints
 * @property {string} [input] a line that is typed at its first prompt
 * @property {string} [file] the name under which other blocks of the page import it
 */

const WORDS = 'fragment, run, run=agent, run=caller, expect="…", input="…", file=….js';

/**
 * The TypeScript blocks of a document. A fence with an unknown word is an error, so that no block stays unchecked by mistake.
 * @param {string} path for messages
 * @param {string} text
 * @returns {Block[]}
 */
export function readBlocks(path, text) {
  /** @type {Set<string>} */
  const files = new Set();
  return [...text.matchAll(/^```(?<info>\S[^\n]*)\n(?<code>[\s\S]*?)^```$/gm)].flatMap(({ index, groups }) => {
    const line = text.slice(0, index).split('\n').length;
    const [language = '', ...words] = groups?.info?.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
    if (/^(?:c|m)?js$|^javascript$|^typescript$/.test(language)) {
      throw new Error(`${path}:${line}: write \`\`\`ts instead of \`\`\`${language}: only ts and tsx blocks are compiled`);
    }
    if (language !== 'ts' && language !== 'tsx') return [];
    const block = readBlock({ language, line, code: groups?.code ?? '', isModule: true, expect: [] }, words, `${path}:${line}`);
    if (block.file !== undefined && files.has(block.file)) throw new Error(`${path}:${line}: another block of this page is ${block.file}`);
    files.add(block.file ?? '');
    return [block];
  });
}

/**
 * @param {Block} block without its words
 * @param {string[]} words
 * @param {string} place
 */
function readBlock(block, words, place) {
  for (const word of words) {
    const [, name = '', value = ''] = /^(\w+)="?(.*?)"?$/.exec(word) ?? [];
    if (word === 'fragment') block.isModule = false;
    else if (word === 'run' && block.language === 'ts') block.run = 'alone';
    else if (name === 'run' && block.language === 'ts' && (value === 'agent' || value === 'caller')) block.run = value;
    else if (name === 'expect' && value !== '') block.expect.push(value);
    else if (name === 'input') block.input = value;
    else if (name === 'file' && /^\w[\w.-]*\.js$/.test(value)) block.file = value;
    else
      throw new Error(`${place}: the fence of a ${block.language} block has the unknown word ${word}. Known are ${WORDS}; tsx never runs.`);
  }
  if (!block.isModule && words.length > 1) throw new Error(`${place}: a fragment is not a module, so its fence has no other word`);
  if (block.run === undefined && (block.expect.length > 0 || block.input !== undefined)) {
    throw new Error(`${place}: expect and input are for programs; add run, run=agent or run=caller`);
  }
  return block;
}

/** Packages that only documents import. They stand beside the workspaces, because they bring many more. */
const HOSTS = 'test/peers/fastify';

/** Installs these packages when they are missing. `check.mjs` does so before anything else, so that two processes never do it at once. */
export function installHosts() {
  installBeside(HOSTS);
}

/**
 * Lets the modules in this folder import these packages, and all others as before.
 * @param {string} folder
 */
export function linkHosts(folder) {
  symlinkSync(join(root, HOSTS, 'node_modules'), join(folder, 'node_modules'), 'junction');
}
