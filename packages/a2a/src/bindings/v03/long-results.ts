/** Translates long results in slices, so that other callers are served in between, and into pieces, which hosts send without a copy. */
import type { V03Model } from '../../compat/v03/index.js';
import { nextIteration } from '../../platform/slices.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import type { MethodName } from '../../protocol/methods.js';

/** A text of this many characters is parsed and written in a few milliseconds. */
const LONG_CHARS = 512 * 1024;

/** The parts of an item that are translated at once. */
const PARTS = 1_000;

export function isLong(json: string): boolean {
  return json.length > LONG_CHARS;
}

/** The text of a translated result, in pieces. Messages and artifacts are translated one by one; parsing and the status are one step each. */
export async function translateLong(model: V03Model, method: MethodName, json: string): Promise<readonly string[]> {
  const result: unknown = JSON.parse(json);
  await nextIteration();
  const task = isObject(result) && isObject(result.task) ? result.task : result;
  if (!isObject(task) || (!Array.isArray(task.artifacts) && !Array.isArray(task.history))) {
    return [JSON.stringify(model.resultToV03(method, result))];
  }
  const { artifacts, history, ...rest } = task;
  const isWrapped = task !== result;
  // The lists are inserted at the end of the task, whose text is the end of the result.
  const frame = JSON.stringify(model.resultToV03(method, isWrapped ? { task: rest } : rest));
  const end = isWrapped && isObject(JSON.parse(frame).task) ? '}}' : '}';
  const pieces = [frame.slice(0, -end.length)];
  for (const [name, items] of Object.entries({ artifacts, history })) {
    if (!Array.isArray(items) || items.length === 0) continue;
    const translate = (item: unknown): unknown => translateItem(model, name, item);
    pieces.push(`,"${name}":[`, ...(await translateItems(items, translate)), ']');
  }
  return [...pieces, end];
}

/** A model translates whole tasks: this one has a single item. With the rest of the task, a long status would be translated for each item. */
function translateItem(model: V03Model, name: string, item: unknown): unknown {
  const translated = model.resultToV03('GetTask', { [name]: [item] });
  const items = isObject(translated) ? translated[name] : undefined;
  return Array.isArray(items) ? items[0] : undefined;
}

type Translate = (item: unknown) => unknown;

/** The texts of the items, with commas between them. */
async function translateItems(items: readonly unknown[], translate: Translate): Promise<readonly string[]> {
  const pieces: string[] = [];
  let slice: string[] = [];
  let chars = 0;
  for (const [index, item] of items.entries()) {
    if (index > 0) slice.push(',');
    const text = isObject(item) && Array.isArray(item.parts) && item.parts.length > PARTS ? undefined : JSON.stringify(translate(item));
    // Many parts are pieces of their own.
    if (text === undefined)
      pieces.push(slice.join(''), ...(await translateParts(item as Members, translate))); // it has parts
    else slice.push(text);
    chars += text?.length ?? LONG_CHARS;
    if (chars < LONG_CHARS) continue;
    if (text !== undefined) pieces.push(slice.join(''));
    slice = [];
    chars = 0;
    await nextIteration();
  }
  return [...pieces, slice.join('')];
}

/** The text of an item with many parts. */
async function translateParts(item: Members, translate: Translate): Promise<readonly string[]> {
  const parts = item.parts as readonly unknown[]; // checked by the caller
  const pieces: string[] = [];
  for (let at = 0; at < parts.length; at += PARTS) {
    const { parts: own, content = own, ...rest } = translate({ ...item, parts: parts.slice(at, at + PARTS) }) as Members; // an item stays an object
    // Messages of ProtoJSON have `content`.
    if (at === 0) pieces.push(`${JSON.stringify(rest).slice(0, -1)},"${own === undefined ? 'content' : 'parts'}":[`);
    else pieces.push(',');
    pieces.push(JSON.stringify(content).slice(1, -1));
    await nextIteration();
  }
  return [...pieces, ']}'];
}
