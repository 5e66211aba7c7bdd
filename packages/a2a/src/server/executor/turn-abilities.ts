/** The runtime functions that a turn provides to its context. */

import type { Logger } from '../../platform/logger.js';
import type { Clock } from '../../protocol/clock.js';
import type { Ask } from '../questions/question.js';
import type { Turn } from '../run/turn.js';
import type { RequestContext } from './executor.js';
import type { ContextAbilities } from './request-context.js';
import { INSIDE, type TurnInside } from './turn-inside.js';

type Doings = Pick<RequestContext, 'conversation' | 'requireInput' | 'requireAuth'>;

interface Given extends Doings {
  readonly logger: Logger;
  readonly ask: Ask;
}

export class TurnAbilities implements ContextAbilities, TurnInside {
  readonly attempt: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly conversation: Doings['conversation'];
  readonly requireInput: Doings['requireInput'];
  readonly requireAuth: Doings['requireAuth'];
  readonly ask: Ask;
  declare readonly signal: AbortSignal;
  readonly #turn: Turn;

  constructor(turn: Turn, clock: Clock, { logger, ask, conversation, requireInput, requireAuth }: Given) {
    this.attempt = turn.attempt;
    this.clock = clock;
    this.logger = logger;
    this.conversation = conversation;
    this.requireInput = requireInput;
    this.requireAuth = requireAuth;
    this.ask = ask;
    this.#turn = turn;
    Object.defineProperty(this, 'signal', TurnAbilities.#SIGNAL);
  }

  get [INSIDE](): TurnInside {
    return this;
  }

  get deadline(): number {
    return this.#turn.deadline;
  }

  newCallId(called: string, id?: string): string {
    return this.#turn.newCallId(called, id);
  }

  /** Created on first access through one shared getter, for the same reason as in the context. */
  static readonly #SIGNAL: PropertyDescriptor & ThisType<TurnAbilities> = {
    enumerable: true,
    get() {
      return this.#turn.signal;
    },
  };
}
