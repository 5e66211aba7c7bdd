/** Commands to copy: each shows one side of the protocol with nothing but curl. */
export interface Command {
  readonly title: string;
  readonly text: string;
}

const HEADERS = "-H 'A2A-Version: 1.0' -H 'Content-Type: application/json'";

export function toCommands(url: string): readonly Command[] {
  return [
    { title: 'What can it do? (JSON-RPC)', text: askCommand(url, 'help') },
    { title: 'A stream: every event has an id', text: streamCommand(url, 'story') },
    { title: 'Come back to a task behind its event 9; the last line works again when the task has ended', text: resumeCommand(url) },
  ];
}

/** A stream over HTTP+JSON. */
export function streamCommand(url: string, text: string): string {
  return `curl -N ${url}/message:stream ${HEADERS} \\\n  -d '${body(text)}'`;
}

function askCommand(url: string, text: string): string {
  return `curl -s ${url} ${HEADERS} -w '\\n' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${body(text)}}'`;
}

function resumeCommand(url: string): string {
  const start = `curl -s ${url}/message:send ${HEADERS} \\\n  -d '${body('story', '"configuration":{"returnImmediately":true}')}'`;
  const id = `grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4`;
  return `TASK=$(${start} \\\n  | ${id}); sleep 1\ncurl -N ${url}/tasks/$TASK:subscribe -H 'A2A-Version: 1.0' -H 'Last-Event-ID: 9'`;
}

function body(text: string, ...members: readonly string[]): string {
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] };
  const json = `{${[`"message":${JSON.stringify(message)}`, ...members].join(',')}}`;
  return json.replaceAll("'", String.raw`'\''`); // it stands in single quotes
}
