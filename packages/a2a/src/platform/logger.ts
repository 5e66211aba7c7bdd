/** Receives the library's log lines: fields first, as in pino. The library itself prints nothing. */
export interface Logger {
  debug(fields: LogFields, text: string): void;
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
}

/** The fields of a log line. They never contain secrets or message content. */
export interface LogFields {
  readonly requestId?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly caller?: string;
  readonly attempt?: number;
  readonly reason?: string;
  readonly method?: string;
  /** The agent that was called. */
  readonly agent?: string;
  /** Duration in milliseconds. */
  readonly ms?: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs?: number;
  readonly cause?: unknown;
}

/** The call or task in which an error occurred. */
export type ErrorContext = Pick<LogFields, 'requestId' | 'taskId' | 'contextId' | 'caller' | 'attempt' | 'method'>;

/** Returns the logger with these fields added to every line. */
export function withFields(logger: Logger, known: LogFields): Logger {
  if (logger === silentLogger) return logger;
  return {
    debug: (fields, text) => logger.debug({ ...known, ...fields }, text),
    info: (fields, text) => logger.info({ ...known, ...fields }, text),
    warn: (fields, text) => logger.warn({ ...known, ...fields }, text),
    error: (fields, text) => logger.error({ ...known, ...fields }, text),
  };
}

/** Returns the logger with its errors suppressed: a logger that throws must not affect its caller, and there is no place to report it. */
export function harmless(logger: Logger): Logger {
  const line =
    (level: keyof Logger): Logger[typeof level] =>
    (fields, text) => {
      try {
        logger[level](fields, text);
      } catch {
        // Suppressed, see above.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

const ignore = (): void => {};

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
