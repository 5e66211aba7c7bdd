/** What a turn can do for its context. */

import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { RequestContext } from './executor.js';
import type { ContextAbilities } from './request-context.js';
import type { Turn } from './turn.js';

type Doings = Pick<RequestContext, 'conversation' | 'requireInput' | 'requireAuth'>;

export class TurnAbilities implements ContextAbilities {
  readonly attempt: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly conversation: Doings['conversation'];
  readonly requireInput: Doings['requireInput'];
  readonly requireAuth: Doings['requireAuth'];
  declare readonly signal: AbortSignal;
  readonly #turn: Turn;

  constructor(turn: Turn, clock: Clock, { logger, conversation, requireInput, requireAuth }: Doings & { readonly logger: Logger }) {
    this.attempt = turn.attempt;
    this.clock = clock;
    this.logger = logger;
    this.conversation = conversation;
    this.requireInput = requireInput;
    this.requireAuth = requireAuth;
    this.#turn = turn;
    Object.defineProperty(this, 'signal', TurnAbilities.#SIGNAL);
  }

  /** Asked for when needed, by one getter for all: see the context's own. */
  static readonly #SIGNAL: PropertyDescriptor & ThisType<TurnAbilities> = {
    enumerable: true,
    get() {
      return this.#turn.signal;
    },
  };
}
