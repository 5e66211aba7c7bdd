// Unary load: a few connections with one request at a time each, so that the server is always busy.

const CONNECTIONS = 8;

/**
 * Sends one round of requests; returns their number.
 * @param {import('../measure.mjs').Bench} bench
 * @param {() => string} build the next request
 * @param {{ mark: string, connections?: number }} options `mark`: a text that every correct reply contains. Without it, an error would be
 *   cheap and look like speed.
 */
export async function requests({ client, size }, build, { mark, connections = CONNECTIONS }) {
  let left = size.round;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const body = await client.send(build());
      if (!body.includes(mark)) throw new Error(`a reply without ${mark}: ${body.toString('utf8').slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return size.round;
}
