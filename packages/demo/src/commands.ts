/** Commands to copy. Each demonstrates one part of the protocol with curl only, in sh, bash and zsh. */
export interface Command {
  readonly title: string;
  /** The ability that it demonstrates. */
  readonly word: string;
  readonly text: string;
}

/** The URL for the commands, and their width: `narrow` fits a phone, `wide` has fewer lines. */
export interface Target {
  readonly url: string;
  readonly layout: 'narrow' | 'wide';
}

export function toCommands(target: Target): readonly Command[] {
  return [
    { word: 'help', title: 'List what the agent can do (JSON-RPC)', text: askCommand(target) },
    { word: 'story', title: 'Stream a story: every event has an id', text: streamCommand(target, 'story') },
    { word: 'story', title: 'Resume the stream after event 9, also when the task has ended', text: resumeCommand(target) },
    { word: 'question', title: 'Answer a question: the same task continues', text: replyCommand(target, 'question', 'Lisbon') },
    { word: 'auth', title: 'Grant an authorization: the same task continues', text: replyCommand(target, 'auth', 'yes') },
    { word: 'slow', title: 'Cancel a running task', text: cancelCommand(target) },
    { word: 'recall', title: 'Run two tasks in one conversation', text: recallCommand(target) },
  ];
}

/** A stream over HTTP+JSON. */
export function streamCommand(target: Target, text: string): string {
  return say(target, { text });
}

function askCommand(target: Target): string {
  const members = ['"jsonrpc": "2.0", "id": 1', '"method": "SendMessage"', `"params": ${toBody(target, { text: 'help' })}`];
  return curl(target, { flags: "-s -w '\\n'", path: '', body: `{${members.join(separators(target).next)}}` });
}

function resumeCommand(target: Target): string {
  const resume = curl(target, { flags: '-N', path: taskPath('subscribe'), header: 'Last-Event-ID: 9' });
  return `${startTask(target, 'story')}\nsleep 1\n${resume}`;
}

/** Prints the question, then answers it. */
function replyCommand(target: Target, text: string, reply: string): string {
  const ask = curl(target, { flags: '-s', path: '/message:send', body: toBody(target, { text }) });
  const answer = say(target, { text: reply, messageId: 'm2', place: `"taskId": "'$TASK'"` });
  return `ASKED=$(${ask})\necho "$ASKED"\n${readId(target, 'echo "$ASKED"')}\n${answer}`;
}

function cancelCommand(target: Target): string {
  const cancel = curl(target, { flags: "-s -w '\\n'", path: taskPath('cancel'), body: '{}' });
  return `${startTask(target, 'slow 300')}\nsleep 1\n${cancel}`;
}

/** The caller chooses the context id; the agent remembers the messages of that context. */
function recallCommand(target: Target): string {
  const place = '"contextId": "my-first"';
  return `${say(target, { text: 'I like walnuts', place })}\n${say(target, { text: 'recall', messageId: 'm2', place })}`;
}

function say(target: Target, said: Said): string {
  return curl(target, { flags: '-N', path: '/message:stream', body: toBody(target, said) });
}

function startTask(target: Target, text: string): string {
  const beside = `"configuration": {${separators(target).open}"returnImmediately": true}`;
  const body = toBody(target, { text, beside });
  return readId(target, curl(target, { flags: '-s', path: '/message:send', body }));
}

/** Stores the id of the task that a command prints. */
function readId({ layout }: Target, command: string): string {
  const pick = [`grep -o '"id":"[^"]*"'`, `head -1 | cut -d'"' -f4`].join(layout === 'narrow' ? ' |\n  ' : ' | ');
  return `TASK=$(${command} |\n  ${pick})`;
}

/** The braces are for zsh, which treats the text after a bare `$TASK:` as a modifier. */
function taskPath(verb: string): string {
  return `/tasks/\${TASK}:${verb}`;
}

interface Said {
  readonly text: string;
  readonly messageId?: string;
  /** A member of the message: the task or the context it belongs to. */
  readonly place?: string;
  /** A member next to the message. */
  readonly beside?: string;
}

function toBody(target: Target, { text, messageId = 'm1', place, beside }: Said): string {
  const { open, next } = separators(target);
  const quoted = JSON.stringify(text).replaceAll("'", String.raw`'\''`); // the text is inside single quotes
  const members = [`"messageId": "${messageId}", "role": "ROLE_USER"`, place, `"parts": [{"text": ${quoted}}]`];
  const message = `"message": {${open}${members.filter((member) => member !== undefined).join(next)}}`;
  return beside === undefined ? `{${message}}` : `{${message}${next}${beside}}`;
}

function separators({ layout }: Target): { readonly open: string; readonly next: string } {
  return layout === 'narrow' ? { open: '\n    ', next: ',\n    ' } : { open: '', next: ', ' };
}

interface Request {
  readonly flags: string;
  readonly path: string;
  readonly header?: string;
  readonly body?: string;
}

function curl({ url, layout }: Target, { flags, path, header, body }: Request): string {
  const type = body === undefined ? undefined : 'Content-Type: application/json';
  const headers = ['A2A-Version: 1.0', header, type].filter((one) => one !== undefined).map((one) => `-H '${one}'`);
  const data = body === undefined ? [] : [`-d '${body}'`];
  const lines =
    layout === 'narrow' ? [`curl ${flags}`, `${url}${path}`, ...headers] : [[`curl ${flags} ${url}${path}`, ...headers].join(' ')];
  return [...lines, ...data].join(' \\\n  ');
}
