import { harmless, silentLogger } from '../../platform/logger.js';
import { toA2AError } from '../../protocol/errors.js';
import type { ClientInterceptor } from '../call.js';
import { fieldsOf } from './call-fields.js';
import type { ResilienceTools } from './tools.js';

/** One line per call, with all its tries: `debug` when it succeeded, `warn` when not. Neither content nor secrets are in it. */
export function logging(tools: Pick<ResilienceTools, 'clock' | 'logger'>): ClientInterceptor {
  if (tools.logger === silentLogger) return (next) => next;
  const logger = harmless(tools.logger);
  return (next) => async (call) => {
    const startedAt = tools.clock.now();
    const fields = () => ({ ...fieldsOf(call), attempt: call.budget.retries() + 1, ms: tools.clock.now() - startedAt });
    try {
      const reply = await next(call);
      logger.debug(fields(), reply.kind === 'stream' ? 'stream opened' : 'call answered');
      return reply;
    } catch (thrown) {
      const error = toA2AError(thrown);
      logger.warn({ ...fields(), reason: error.reason }, 'call failed');
      throw error;
    }
  };
}
