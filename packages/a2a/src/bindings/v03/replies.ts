/** Translates replies of the runtime to 0.3. */
import type { V03Model } from '../../compat/v03/index.js';
import { toA2AError } from '../../protocol/errors.js';
import type { MethodName } from '../../protocol/methods.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { StreamResponse } from '../../protocol/types.js';
import type { Frame, ReadEnd, Reply, Sink } from '../../server/call.js';
import { isLong, translateLong } from './long-results.js';

/** Translates the replies of one model. */
export function createReplies(model: V03Model): (method: MethodName, reply: Reply) => Reply | Promise<Reply> {
  const ofSends = createTranslator(model, (state) => state === 'TASK_STATE_INPUT_REQUIRED'); // a send stream ends at a question
  const ofSubscriptions = createTranslator(model, () => false);
  // One after another, because the objects of a long result need several times its size.
  let before: Promise<unknown> = Promise.resolve();
  return (method, reply) => {
    if (reply.kind === 'stream') {
      const translator = method === 'SubscribeToTask' ? ofSubscriptions : ofSends;
      return { ...reply, open: (sink) => reply.open(new TranslatingSink(sink, translator)) };
    }
    const { extensions, json } = reply;
    // The pieces of the reply are in 1.0, so the translated one has none.
    if (!isLong(json)) return { kind: 'value', extensions, json: JSON.stringify(model.resultToV03(method, JSON.parse(json))) };
    const translated = before.then(() => translateLong(model, method, json));
    before = translated.catch(() => {});
    return translated.then((pieces) => new LongReply(extensions, pieces));
  };
}

/** The text is created only for hosts and checks that need it as a whole. */
class LongReply {
  readonly kind = 'value';
  readonly extensions: readonly string[];
  readonly pieces: readonly string[];

  constructor(extensions: readonly string[], pieces: readonly string[]) {
    this.extensions = extensions;
    this.pieces = pieces;
  }

  get json(): string {
    return this.pieces.join('');
  }
}

interface Batch {
  readonly frames: readonly Frame[];
  /** What the batch changes about the end of the stream; undefined: nothing. */
  readonly ending: Ending | undefined;
}

interface Ending {
  /** The last status, if it did not say that it is the last one. */
  readonly unfinished: StreamResponse | undefined;
}

interface Translator {
  toBatch(frames: readonly Frame[]): Batch;
  toLastStatus(event: StreamResponse): Frame;
}

/** Readers that follow a task get the same batch of frames, which is translated once. `endsAt`: further states that end the stream. */
function createTranslator(model: V03Model, endsAt: (state: string) => boolean): Translator {
  const known = new WeakMap<readonly Frame[], Batch>();
  const translate = (frames: readonly Frame[]): Batch => {
    let ending: Ending | undefined;
    const translated = frames.map(({ json, seq }) => {
      const event: StreamResponse = JSON.parse(json);
      const state = event.statusUpdate?.status.state;
      const isLast = state !== undefined && (isTerminal(state) || endsAt(state));
      if (state !== undefined) ending = { unfinished: isLast ? undefined : event };
      // A Task replaces everything before it.
      if (event.task !== undefined) ending = { unfinished: undefined };
      return { json: JSON.stringify(model.eventToV03(event, isLast)), ...(seq !== undefined && { seq }) };
    });
    return { frames: translated, ending };
  };
  return {
    toBatch(frames) {
      const batch = known.get(frames) ?? translate(frames);
      known.set(frames, batch);
      return batch;
    },
    toLastStatus: (event) => ({ json: JSON.stringify(model.eventToV03(event, true)) }),
  };
}

/** Clients of 0.3 wait for `final` on the last status of a stream. If that status did not tell that it is the last, it is sent again. */
class TranslatingSink implements Sink {
  readonly #sink: Sink;
  readonly #translator: Translator;
  #unfinished: StreamResponse | undefined;

  constructor(sink: Sink, translator: Translator) {
    this.#sink = sink;
    this.#translator = translator;
  }

  send(frames: readonly Frame[]): boolean {
    const batch = this.#toBatch(frames);
    if (batch.ending !== undefined) this.#unfinished = batch.ending.unfinished;
    return this.#sink.send(batch.frames);
  }

  end(why: ReadEnd): void {
    if (why.kind === 'done' && this.#unfinished !== undefined) this.#sink.send([this.#translator.toLastStatus(this.#unfinished)]);
    this.#sink.end(why);
  }

  /** An interceptor may send what is not an event: the reader closes a sink that throws, without an end. */
  #toBatch(frames: readonly Frame[]): Batch {
    try {
      return this.#translator.toBatch(frames);
    } catch (cause) {
      this.#sink.end({ kind: 'error', error: toA2AError(cause) });
      throw cause;
    }
  }
}
