/** Chooses among several credentials by the security schemes of the card. */
import { A2AError } from '../../protocol/errors.js';
import type { AuthMaterial, AuthRequest, Credentials, DeclaredScheme } from './credentials.js';
import { type Alternative, alternativesOf } from './declared.js';
import { checkMaterial, joinMaterial, NO_MATERIAL, sameMaterial } from './material.js';

/** Returns the credentials that may fit a scheme, in the order to try them. */
type Find = (declared: DeclaredScheme) => readonly Credentials[];

/**
 * Maps the scheme names of the card to credentials. Uses the first alternative of the card for which all schemes have credentials. If the
 * card declares nothing, all credentials are sent. For a client certificate, which TLS presents, pass `{ get: () => ({}) }` under its name.
 */
export function credentialsFor(bySchemeName: Readonly<Record<string, Credentials>>): Credentials {
  const given = { ...bySchemeName };
  for (const [name, each] of Object.entries(given)) {
    if (typeof each?.get !== 'function')
      throw new A2AError('INVALID_PARAMS', `credentialsFor: the value of ${name} is not a Credentials object`);
  }
  return chooser(Object.values(given), ({ name }) => Object.entries(given).flatMap(([key, each]) => (key === name ? [each] : [])));
}

/** Like `credentialsFor`, without scheme names: uses any of these credentials that fit a declared scheme, earlier ones first. */
export function chooseCredentials(...list: readonly Credentials[]): Credentials {
  if (list.length === 0) throw new A2AError('INVALID_PARAMS', 'chooseCredentials needs at least one argument');
  return {
    ...chooser(list, ({ scheme }) => list.filter((each) => each.fits?.(scheme))),
    fits: (scheme) => list.some((each) => each.fits?.(scheme)),
  };
}

function chooser(all: readonly Credentials[], find: Find): Credentials {
  return {
    get(request) {
      const alternatives = alternativesOf(request.card);
      const nothingDeclared = (request.card?.securityRequirements ?? []).length === 0;
      return nothingDeclared ? allOf(all, request) : firstThatIsMet(alternatives, find, request);
    },
  };
}

/**
 * If two credentials use the same header, query parameter or cookie, the earlier one wins. Without a declaration there is no better rule.
 */
async function allOf(all: readonly Credentials[], request: AuthRequest): Promise<AuthMaterial> {
  let joined = NO_MATERIAL;
  for (const each of all) {
    const material = checkMaterial(await each.get(request));
    joined = {
      headers: { ...material.headers, ...joined.headers },
      query: { ...material.query, ...joined.query },
      cookies: { ...material.cookies, ...joined.cookies },
    };
  }
  return joined;
}

/** After a refusal, skips an alternative that would send the same material again. */
async function firstThatIsMet(alternatives: readonly Alternative[], find: Find, request: AuthRequest): Promise<AuthMaterial | undefined> {
  const refused = request.refused && checkMaterial(request.refused.material);
  for (const { schemes } of alternatives) {
    const material = await meet(schemes, find, request);
    if (material && !(refused && sameMaterial(checkMaterial(material), refused))) return material;
  }
  return undefined;
}

async function meet(schemes: readonly DeclaredScheme[], find: Find, request: AuthRequest): Promise<AuthMaterial | undefined> {
  const found = schemes.map((scheme) => ({ scheme, candidates: find(scheme) }));
  // Requests no token for an alternative that cannot be met anyway.
  if (found.some(({ candidates }) => candidates.length === 0)) return undefined;
  let joined = NO_MATERIAL;
  for (const { scheme, candidates } of found) {
    const material = await firstGiven(candidates, { ...request, scheme });
    if (material === undefined) return undefined;
    joined = joinMaterial(joined, checkMaterial(material));
  }
  return joined;
}

async function firstGiven(candidates: readonly Credentials[], request: AuthRequest): Promise<AuthMaterial | undefined> {
  for (const each of candidates) {
    const material = await each.get(request);
    if (material) return material;
  }
  return undefined;
}
