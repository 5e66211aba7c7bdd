// Detects faults that no page may have in any scenario.

/**
 * Watches every page of a context.
 * @param {import('playwright-core').BrowserContext} context
 */
export function guard(context) {
  /** @type {string[]} */
  const faults = [];
  context.on('dialog', (dialog) => {
    faults.push(`a dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('weberror', (error) => void faults.push(`uncaught error: ${error.error().stack ?? error.error()}`));
  context.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) faults.push(`blocked by the page's policy: ${message.text()}`);
    else if (message.type() === 'error' && !/Failed to load resource|net::ERR_/.test(message.text())) faults.push(message.text());
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(data|blob):$/.test(protocol) || /^(127\.0\.0\.1|localhost)$/.test(hostname)) return;
    faults.push(`requested ${request.url()}`);
  });
  return faults;
}
