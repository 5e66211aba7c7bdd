/** Where the library's log lines go: object first, as pino takes them. The library prints nothing by itself. */
export interface Logger {
  debug(fields: LogFields, text: string): void;
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
}

/** What every line may carry. Secrets and message content are never among them. */
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
  /** How long it took. */
  readonly ms?: number;
  /** How long it will be before it is tried again. */
  readonly delayMs?: number;
  readonly cause?: unknown;
}

/** Where an error was met. */
export type ErrorContext = Pick<LogFields, 'requestId' | 'taskId' | 'contextId' | 'caller' | 'attempt' | 'method'>;

/** The same logger, with these fields on every line. */
export function withFields(logger: Logger, known: LogFields): Logger {
  if (logger === silentLogger) return logger;
  return {
    debug: (fields, text) => logger.debug({ ...known, ...fields }, text),
    info: (fields, text) => logger.info({ ...known, ...fields }, text),
    warn: (fields, text) => logger.warn({ ...known, ...fields }, text),
    error: (fields, text) => logger.error({ ...known, ...fields }, text),
  };
}

/** The same logger, whose own failures end with it: a log that throws has nobody left to be told, and must harm nobody. */
export function harmless(logger: Logger): Logger {
  const line =
    (level: keyof Logger): Logger[typeof level] =>
    (fields, text) => {
      try {
        logger[level](fields, text);
      } catch {
        // See above.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

const ignore = (): void => {};

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
