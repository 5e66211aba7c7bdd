// Unary load: a few connections with one request at a time each, so that the server is always busy.

const AT_ONCE = 8;

/**
 * Sends one round of requests; returns their number.
 * @param {import('../measure.mjs').Bench} bench
 * @param {() => string} build the next request
 * @param {string} mark a text that every correct reply contains: an error would be cheap and look like speed
 */
export async function requests({ client, size }, build, mark) {
  let left = size.round;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const body = await client.send(build());
      if (!body.includes(mark)) throw new Error(`a reply without ${mark}: ${body.toString('utf8').slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return size.round;
}
