// The wording rules of docs/principles.md that a program can check, in every file that Git tracks. `npm run check` calls it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const CHECKED = /\.(?:[cm]?[jt]sx?|md|css|html|ya?ml|svg|conf)$|(?:^|\/)Dockerfile$|^\.ci\/run$/;

/** These words are wrong wherever they stand, in prose, strings and names. */
const BANNED = [
  { word: /\b(?:whoever|somebody|nobody|anybody)\b/gi, instead: 'name the thing: "the client", "the owner node", "no caller"' },
  { word: /\bcan not\b/gi, instead: 'write "cannot"' },
  { word: /\bcancell(?:ed|ing)\b/gi, instead: 'write "canceled" and "canceling", as A2A does' },
  { word: /\bretriable\b/gi, instead: 'write "retryable"' },
];
/** These words are wrong at the start of a sentence. */
const OPENING = { word: /^(?:who|he|one that)\b(?!')/i, instead: 'name the subject of the sentence' };

/** Files and spellings that the rules do not apply to. */
const ALLOWED_FILES = ['scripts/check-words.mjs', 'test/check-words.test.ts']; // They contain the list, and plant the words to find them.
const ALLOWED_SPELLINGS = [
  { spelling: /^'cancelled'$/, reason: 'the reason of a message status in assistant-ui, which conversations share' },
  { spelling: /^.CANCELLED.$/, reason: 'a status name of gRPC, and the spelling of some A2A peers' },
];

const COMMENTS_AND_STRINGS =
  /(?<line>(?:(?<=^|[\s{};,(])\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+)|\/\*(?<block>[\s\S]*?)\*\/|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/gm;

/**
 * One line for each word in the file that breaks a rule: path, line, word, and what to write instead.
 * @param {string} path relative to the root of the project
 * @param {string} text
 */
export function findWords(path, text) {
  if (ALLOWED_FILES.includes(path)) return [];
  const isAllowed = (/** @type {string} */ word, /** @type {number} */ at) =>
    ALLOWED_SPELLINGS.some(({ spelling }) => spelling.test(text.slice(at - 1, at + word.length + 1)));
  const found = [
    ...BANNED.flatMap(({ word, instead }) => [...text.matchAll(word)].map((match) => ({ at: match.index, word: match[0], instead }))),
    ...sentencesOf(path, text).flatMap(({ at, sentence }) => {
      const word = OPENING.word.exec(sentence)?.[0];
      return word === undefined ? [] : [{ at, word: `${word} …`, instead: OPENING.instead }];
    }),
  ];
  return found
    .filter(({ word, at }) => !isAllowed(word, at))
    .sort((a, b) => a.at - b.at)
    .map(({ at, word, instead }) => `${path}:${lineOf(text, at)}: "${word}": ${instead}`);
}

/**
 * Every sentence of a document, or of the comments and strings of a program.
 * @param {string} path
 * @param {string} text
 */
function sentencesOf(path, text) {
  if (path.endsWith('.md')) return split(text.replace(/^```[\s\S]*?^```/gm, blank), 0);
  return [...text.matchAll(COMMENTS_AND_STRINGS)].flatMap((match) => {
    const { line, block, string } = match.groups ?? {};
    if (string !== undefined) return [{ at: match.index, sentence: string.slice(1) }];
    const prose = (line ?? block ?? '').replace(/^[ \t]*(?:\/\/|\*+)/gm, blank);
    return split(prose, match.index + (block === undefined ? 0 : 2));
  });
}

/**
 * Cuts prose at the ends of sentences, paragraphs, list items and table cells. A line end inside a paragraph is no cut.
 * @param {string} prose
 * @param {number} offset where the prose begins in its file
 */
function split(prose, offset) {
  const starts = [...prose.matchAll(/(?:^|(?<=[.!?]\s|\n\s*\n|\|)|(?<=\n)(?=\s*(?:[-*#>@]|\d+\.)))[\s\-*#>|]*(?:\d+\.\s)?/g)];
  return starts.map((match) => {
    const start = match.index + match[0].length;
    return { at: offset + start, sentence: prose.slice(start, start + 20) };
  });
}

/** Spaces of the same length, so that positions stay true. @param {string} text */
function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

/**
 * @param {string} text
 * @param {number} at
 */
function lineOf(text, at) {
  return text.slice(0, at).split('\n').length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const only = process.argv.slice(2);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  );
  const checked = files.filter((path) => CHECKED.test(path) && (only.length === 0 || only.some((prefix) => path.startsWith(prefix))));
  const problems = checked.flatMap((path) => findWords(path, readFileSync(join(root, path), 'utf8')));
  if (problems.length > 0)
    console.error(`${problems.join('\n')}\n${problems.length} places break the wording rules of docs/principles.md.`);
  process.exit(problems.length > 0 ? 1 : 0);
}
