// The base: the cost of the same call with only the platform's fetch.
import { message } from '../load/client.mjs';

/** @param {string} url @returns {import('../client-process.mjs').Sender} */
export function createSender(url) {
  let id = 0;
  return async () => {
    id += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'SendMessage', params: message('task') }),
    });
    return JSON.parse(await response.text()).result.task.status.state;
  };
}
