/** The card of an agent as `@assistant-ui/react-a2a` 0.2.32 names its parts. */

/** A key that the caller sends along. */
export type A2AApiKeySecurityScheme = {
  description?: string | undefined;
  /** header, query or cookie. */
  location: string;
  name: string;
};

/** The Authorization header of HTTP. */
export type A2AHttpAuthSecurityScheme = {
  description?: string | undefined;
  scheme: string;
  bearerFormat?: string | undefined;
};

/** A token for a person who signs in by way of a redirect. */
export type A2AAuthorizationCodeOAuthFlow = {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
  pkceRequired?: boolean | undefined;
};

/** A token for the client itself. */
export type A2AClientCredentialsOAuthFlow = {
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
};

/** A token for a person who signs in on a second device. */
export type A2ADeviceCodeOAuthFlow = {
  deviceAuthorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
};

/** A token in the redirect itself. @deprecated Use the authorization code with PKCE. */
export type A2AImplicitOAuthFlow = {
  authorizationUrl?: string | undefined;
  refreshUrl?: string | undefined;
  scopes?: Record<string, string> | undefined;
};

/** A token for a person's password. @deprecated Use the authorization code with PKCE, or the device code. */
export type A2APasswordOAuthFlow = {
  tokenUrl?: string | undefined;
  refreshUrl?: string | undefined;
  scopes?: Record<string, string> | undefined;
};

/** The ways to a token of OAuth 2.0. */
export type A2AOAuthFlows = {
  authorizationCode?: A2AAuthorizationCodeOAuthFlow | undefined;
  clientCredentials?: A2AClientCredentialsOAuthFlow | undefined;
  /** @deprecated */
  implicit?: A2AImplicitOAuthFlow | undefined;
  /** @deprecated */
  password?: A2APasswordOAuthFlow | undefined;
  deviceCode?: A2ADeviceCodeOAuthFlow | undefined;
};

/** A token of OAuth 2.0. */
export type A2AOAuth2SecurityScheme = {
  description?: string | undefined;
  flows: A2AOAuthFlows;
  oauth2MetadataUrl?: string | undefined;
};

/** OpenID Connect. */
export type A2AOpenIdConnectSecurityScheme = {
  description?: string | undefined;
  openIdConnectUrl: string;
};

/** A client certificate. */
export type A2AMutualTlsSecurityScheme = {
  description?: string | undefined;
};

/** One way to authenticate: exactly one member is set. */
export type A2ASecurityScheme = {
  apiKeySecurityScheme?: A2AApiKeySecurityScheme | undefined;
  httpAuthSecurityScheme?: A2AHttpAuthSecurityScheme | undefined;
  oauth2SecurityScheme?: A2AOAuth2SecurityScheme | undefined;
  openIdConnectSecurityScheme?: A2AOpenIdConnectSecurityScheme | undefined;
  mtlsSecurityScheme?: A2AMutualTlsSecurityScheme | undefined;
};

/** Schemes that a caller has to meet together, each with the scopes it needs. */
export type A2ASecurityRequirement = {
  schemes: Record<string, { list: string[] }>;
};

/** A signature over the card. */
export type A2AAgentCardSignature = {
  protected: string;
  signature: string;
  header?: Record<string, unknown> | undefined;
};

/** One thing that the agent can do. */
export type A2AAgentSkill = {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[] | undefined;
  inputModes?: string[] | undefined;
  outputModes?: string[] | undefined;
  securityRequirements?: A2ASecurityRequirement[] | undefined;
};

/** Optional features; `streaming` that is not said is taken for yes. */
export type A2AAgentCapabilities = {
  streaming?: boolean | undefined;
  pushNotifications?: boolean | undefined;
  extensions?:
    | Array<{
        uri: string;
        description?: string | undefined;
        required?: boolean | undefined;
        params?: Record<string, unknown> | undefined;
      }>
    | undefined;
  extendedAgentCard?: boolean | undefined;
};

/** One address of the agent. */
export type A2AAgentInterface = {
  url: string;
  /** JSONRPC, HTTP+JSON, GRPC or a URI. */
  protocolBinding: string;
  protocolVersion: string;
  tenant?: string | undefined;
};

/** What an agent says about itself. */
export type A2AAgentCard = {
  name: string;
  description: string;
  supportedInterfaces: A2AAgentInterface[];
  provider?: { organization: string; url: string } | undefined;
  version: string;
  documentationUrl?: string | undefined;
  capabilities: A2AAgentCapabilities;
  securitySchemes?: Record<string, A2ASecurityScheme> | undefined;
  securityRequirements?: A2ASecurityRequirement[] | undefined;
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: A2AAgentSkill[];
  signatures?: A2AAgentCardSignature[] | undefined;
  iconUrl?: string | undefined;
};
