// How the floor writes a unary reply: at once, or together with the other replies of the same event-loop iteration.

/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {(response: Response, text: string) => void} Reply */

/**
 * Writes the reply inside the call that reads the request, as most servers do.
 * @type {Reply}
 */
export function reply(response, text) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/**
 * Keeps each reply until all requests that arrived in this iteration of the event loop are read, then writes them all. Many connections
 * make this cheaper, so a server that writes its replies in this way must be compared with a floor that does the same.
 * @returns {Reply}
 */
export function createGatheredReply() {
  /** @type {{ response: Response, text: string }[]} */
  let waiting = [];
  const flush = () => {
    const ready = waiting;
    waiting = [];
    for (const { response, text } of ready) reply(response, text);
  };
  return (response, text) => {
    if (waiting.push({ response, text }) === 1) setImmediate(flush);
  };
}
