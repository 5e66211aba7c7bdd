import { A2AError } from '../../protocol/errors.js';
import type { APIKeySecurityScheme, SecurityScheme } from '../../protocol/types.js';
import type { AuthMaterial, AuthRequest, Credentials } from './credentials.js';
import { findScheme } from './declared.js';
import { checkMaterial } from './material.js';

const PLACES = ['header', 'query', 'cookie'] as const;
type Place = (typeof PLACES)[number];

/** Options of `apiKey`: the name and the location of the key, if the card does not state them. */
export interface ApiKeyOptions {
  /** Default: the name on the card. */
  readonly name?: string;
  /**
   * Default: the location on the card, or `header` if a name is given. A key in the query may appear in the logs of proxies and servers.
   */
  readonly in?: Place;
}

/** Sends an API key in the header, query parameter or cookie that the card declares or that you name here. */
export function apiKey(value: string, options: ApiKeyOptions = {}): Credentials {
  const { name, in: place = name === undefined ? undefined : 'header' } = options;
  if (place !== undefined && !PLACES.includes(place)) throw new A2AError('INVALID_PARAMS', 'apiKey: `in` must be header, query or cookie');
  if (name === '') throw new A2AError('INVALID_PARAMS', 'apiKey: name must not be empty');
  // Reports invalid characters now, not on the first call. If the location is unknown, assume a header, which is the most common one.
  checkMaterial(materialAt(place ?? 'header', name ?? 'x', value));

  const fits = (scheme: SecurityScheme): boolean => {
    const declared = scheme.apiKeySecurityScheme;
    return declared !== undefined && placeOf(declared) !== undefined && agrees(declared, { name, place });
  };
  return {
    fits,
    get(request) {
      const declared = declaredIn(request, fits);
      const where = place ?? (declared && placeOf(declared));
      const named = name ?? declared?.name;
      return where === undefined || !named ? undefined : materialAt(where, named, value);
    },
  };
}

function declaredIn({ scheme, card }: AuthRequest, fits: (scheme: SecurityScheme) => boolean): APIKeySecurityScheme | undefined {
  return (scheme ?? findScheme(card, fits))?.scheme.apiKeySecurityScheme;
}

function agrees(declared: APIKeySecurityScheme, { name, place }: { name: string | undefined; place: Place | undefined }): boolean {
  const where = placeOf(declared);
  if (place !== undefined && place !== where) return false;
  if (name === undefined) return true;
  return where === 'header' ? name.toLowerCase() === declared.name.toLowerCase() : name === declared.name;
}

function placeOf({ location }: APIKeySecurityScheme): Place | undefined {
  return PLACES.find((place) => place === location?.toLowerCase());
}

function materialAt(place: Place, name: string, value: string): AuthMaterial {
  switch (place) {
    case 'header':
      return { headers: { [name.toLowerCase()]: value } };
    case 'query':
      return { query: { [name]: value } };
    case 'cookie':
      return { cookies: { [name]: value } };
  }
}
