// The counterpart of `createAsk`: executes commands from the parent process and replies once to each.

/** @param {Readonly<Record<string, (args: never) => unknown>>} commands by name */
export function obey(commands) {
  process.on('message', (/** @type {{ id: number, command: string, args: never }} */ { id, command, args }) => {
    const done = async () => {
      const run = commands[command];
      if (run === undefined) throw new Error(`no such command: ${command}`);
      return run(args);
    };
    void done().then(
      (value) => process.send?.({ id, value }),
      (error) => process.send?.({ id, error: String(error?.stack ?? error) }),
    );
  });
}
