/** The replies that earlier runs of a turn received, and the rule by which a question of the current run takes one (D44). */
import type { Message } from '../../protocol/types.js';
import type { QuestionIdentity } from '../log/entries.js';
import { isSameQuestion, type Question, type Reply } from './question.js';

/** A question in the log with its reply. It has several replies if one failed the schema check and the question was repeated. */
export interface AnsweredQuestion {
  /** The entry of its `asked` note. */
  readonly asked: number;
  readonly question: QuestionIdentity;
  readonly replies: Message[];
}

/** `changed`: there is a reply, but to another question. `dropFrom`: this reply and all later ones without an id are no longer used. */
export type Recorded =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'changed'; readonly dropFrom: number | undefined; readonly reason: string }
  | { readonly kind: 'none' };

const NONE: Recorded = { kind: 'none' };

/** Questions with an id and tool calls are found by name, all others by their position. */
export const isNamed = ({ kind, id }: QuestionIdentity): boolean => id !== undefined || kind === 'tools';

export class RecordedReplies {
  readonly #answered: readonly AnsweredQuestion[];
  readonly #inOrder: readonly AnsweredQuestion[];
  /** How many replies of each question this run has taken, keyed by `asked`. */
  readonly #taken = new Map<number, number>();
  #position = 0;
  #isChanged = false;

  constructor(answered: readonly AnsweredQuestion[]) {
    this.#answered = answered;
    this.#inOrder = answered.length === 0 ? answered : answered.filter(({ question }) => !isNamed(question));
  }

  /** Call it in the order in which the executor asks. */
  take(question: Question): Recorded {
    const { repeatOf } = question;
    if (repeatOf !== undefined) return this.#next(this.#answered.find(({ asked }) => asked === repeatOf));
    return isNamed(question) ? this.#takeNamed(question) : this.#takeInOrder(question);
  }

  #takeNamed(question: Question): Recorded {
    const open = this.#answered.filter((answered) => isNamed(answered.question) && !this.#taken.has(answered.asked));
    const same = open.find((answered) => isSameQuestion(answered.question, question));
    if (same !== undefined) return this.#next(same);
    const other = question.id === undefined ? undefined : open.find((answered) => answered.question.id === question.id);
    return other ? { kind: 'changed', dropFrom: undefined, reason: reasonOf(other.question, question) } : NONE;
  }

  #takeInOrder(question: Question): Recorded {
    const recorded = this.#isChanged ? undefined : this.#inOrder[this.#position];
    if (recorded === undefined) return NONE;
    this.#position += 1;
    if (isSameQuestion(recorded.question, question)) return this.#next(recorded);
    this.#isChanged = true;
    return { kind: 'changed', dropFrom: recorded.asked, reason: reasonOf(recorded.question, question) };
  }

  #next(answered: AnsweredQuestion | undefined): Recorded {
    if (answered === undefined) return NONE;
    const { asked, replies } = answered;
    const count = this.#taken.get(asked) ?? 0;
    const message = replies[count];
    if (message === undefined) return NONE;
    this.#taken.set(asked, count + 1);
    return { kind: 'reply', reply: { message, asked } };
  }
}

function reasonOf(recorded: QuestionIdentity, asked: QuestionIdentity): string {
  if (recorded.kind !== asked.kind) return `the recorded reply answers a question of kind ${recorded.kind}, the run asks ${asked.kind}`;
  return `the recorded reply answers ${quoted(recorded)}, the run asks ${quoted(asked)}`;
}

const MAX_QUOTE = 200;

function quoted({ prompt = '' }: QuestionIdentity): string {
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
  return JSON.stringify(text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
}
