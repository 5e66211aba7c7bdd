/** The JSON of a Task as the result of an operation. */
import { type TaskJsonOptions, type TaskText, taskJson, taskPieces } from '../../protocol/task-text.js';
import { type Result, value } from './runtime.js';

/** A longer Task is sent in pieces: as one text it would be copied as a whole. */
const LONG_CHARS = 1024 * 1024;

export interface TaskReply {
  readonly text: TaskText;
  readonly options: TaskJsonOptions;
  /** About the length of the JSON. */
  readonly chars: number;
  /** The name of the member that contains the Task. Default: the Task is the whole result. */
  readonly member?: string;
}

export function taskValue({ text, options, chars, member }: TaskReply): Result {
  const [open, close] = member === undefined ? ['', ''] : [`{"${member}":`, '}'];
  if (chars <= LONG_CHARS) return value(`${open}${taskJson(text, options)}${close}`);
  const pieces = [open, ...taskPieces(text, options), close].filter((piece) => piece !== '');
  let json = '';
  for (const piece of pieces) json += piece; // copied only if it is read
  return { kind: 'value', json, pieces };
}
