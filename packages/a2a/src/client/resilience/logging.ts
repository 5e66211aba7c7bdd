import { harmless, silentLogger } from '../../platform/logger.js';
import { toA2AError } from '../../protocol/errors.js';
import type { ClientInterceptor } from '../call.js';
import { fieldsOf } from './call-fields.js';
import type { ResilienceTools } from './tools.js';

/** Logs one line per call, for all its attempts: `debug` on success, `warn` on failure. It contains neither content nor secrets. */
export function logging(tools: Pick<ResilienceTools, 'clock' | 'logger'>): ClientInterceptor {
  if (tools.logger === silentLogger) return (next) => next;
  const logger = harmless(tools.logger);
  return (next) => async (call) => {
    const startedAt = tools.clock.now();
    const fields = () => ({ ...fieldsOf(call), attempt: call.budget.retries() + 1, ms: tools.clock.now() - startedAt });
    try {
      const reply = await next(call);
      logger.debug(fields(), reply.kind === 'stream' ? 'stream opened' : 'call succeeded');
      return reply;
    } catch (thrown) {
      const error = toA2AError(thrown);
      logger.warn({ ...fields(), reason: error.reason }, 'call failed');
      throw error;
    }
  };
}
