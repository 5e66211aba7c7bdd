// Unary load: a few connections, each with one request at a time, so that the server always has something to do.

const AT_ONCE = 8;

/**
 * One round of requests; answers how many there were.
 * @param {import('../measure.mjs').Bench} bench
 * @param {() => string} build the next request
 * @param {string} mark what every right reply contains: an error would be cheap, and measured as speed
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
