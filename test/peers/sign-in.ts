/** Simulates a user in a browser: opens the device code page and submits the forms, with cookies. */

/** Submits every page from the code to the end; `refuse` aborts at the first question. Returns the text of the last page. */
export async function signInAt(address: string, { refuse = false } = {}): Promise<string> {
  const browse = browser();
  let page = await browse(address);
  for (let steps = 0; steps < 10; steps += 1) {
    const form = readForm(page.text);
    if (form === undefined) return page.text;
    const fields = { ...form.fields, ...(page.text.includes('name="login"') && { login: 'test-user', password: 'test-password' }) };
    const refusing = refuse && page.text.includes('name="abort"');
    page = await browse(new URL(form.action, page.url).href, new URLSearchParams({ ...fields, ...(refusing && { abort: 'yes' }) }));
    if (refusing) return page.text;
  }
  throw new Error(`The sign-in did not end after 10 pages:\n${page.text}`);
}

interface Page {
  readonly url: string;
  readonly text: string;
}

/** Follows redirects by hand, because fetch keeps no cookies. */
function browser(): (url: string, body?: URLSearchParams) => Promise<Page> {
  const cookies = new Map<string, string>();
  return async function browse(url: string, body?: URLSearchParams): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...(body && { method: 'POST', body }), headers: { cookie }, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) return browse(new URL(location, url).href);
    return { url, text: await response.text() };
  };
}

function readForm(text: string): { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined {
  const [, action, content = ''] = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(text) ?? [];
  if (action === undefined) return undefined;
  const inputs = [...content.matchAll(/<input[^>]*>/g)].map(([input]) => [attribute(input, 'name'), attribute(input, 'value')]);
  return { action: action.replaceAll('&amp;', '&'), fields: Object.fromEntries(inputs) };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
