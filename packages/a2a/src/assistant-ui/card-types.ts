/** The parts of an agent card, with the names of `@assistant-ui/react-a2a` 0.2.32. */

/** An API key that the caller sends. */
export type A2AApiKeySecurityScheme = {
  description?: string | undefined;
  /** 'header', 'query' or 'cookie'. */
  location: string;
  name: string;
};

/** Authentication with the HTTP Authorization header. */
export type A2AHttpAuthSecurityScheme = {
  description?: string | undefined;
  scheme: string;
  bearerFormat?: string | undefined;
};

/** Authorization code flow: the user signs in via a redirect. */
export type A2AAuthorizationCodeOAuthFlow = {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
  pkceRequired?: boolean | undefined;
};

/** Client credentials flow: a token for the client itself. */
export type A2AClientCredentialsOAuthFlow = {
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
};

/** Device code flow: the user signs in on a second device. */
export type A2ADeviceCodeOAuthFlow = {
  deviceAuthorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string | undefined;
  scopes: Record<string, string>;
};

/** Implicit flow: the redirect contains the token. @deprecated Use the authorization code with PKCE. */
export type A2AImplicitOAuthFlow = {
  authorizationUrl?: string | undefined;
  refreshUrl?: string | undefined;
  scopes?: Record<string, string> | undefined;
};

/** Password flow: a token for the user's password. @deprecated Use the authorization code with PKCE, or the device code. */
export type A2APasswordOAuthFlow = {
  tokenUrl?: string | undefined;
  refreshUrl?: string | undefined;
  scopes?: Record<string, string> | undefined;
};

/** The OAuth 2.0 flows that the agent supports. */
export type A2AOAuthFlows = {
  authorizationCode?: A2AAuthorizationCodeOAuthFlow | undefined;
  clientCredentials?: A2AClientCredentialsOAuthFlow | undefined;
  /** @deprecated */
  implicit?: A2AImplicitOAuthFlow | undefined;
  /** @deprecated */
  password?: A2APasswordOAuthFlow | undefined;
  deviceCode?: A2ADeviceCodeOAuthFlow | undefined;
};

/** Authentication with OAuth 2.0. */
export type A2AOAuth2SecurityScheme = {
  description?: string | undefined;
  flows: A2AOAuthFlows;
  oauth2MetadataUrl?: string | undefined;
};

/** Authentication with OpenID Connect. */
export type A2AOpenIdConnectSecurityScheme = {
  description?: string | undefined;
  openIdConnectUrl: string;
};

/** Authentication with a client certificate. */
export type A2AMutualTlsSecurityScheme = {
  description?: string | undefined;
};

/** One way to authenticate: exactly one field is set. */
export type A2ASecurityScheme = {
  apiKeySecurityScheme?: A2AApiKeySecurityScheme | undefined;
  httpAuthSecurityScheme?: A2AHttpAuthSecurityScheme | undefined;
  oauth2SecurityScheme?: A2AOAuth2SecurityScheme | undefined;
  openIdConnectSecurityScheme?: A2AOpenIdConnectSecurityScheme | undefined;
  mtlsSecurityScheme?: A2AMutualTlsSecurityScheme | undefined;
};

/** Schemes that are required together, each with its scopes. */
export type A2ASecurityRequirement = {
  schemes: Record<string, { list: string[] }>;
};

/** A signature over the card. */
export type A2AAgentCardSignature = {
  protected: string;
  signature: string;
  header?: Record<string, unknown> | undefined;
};

/** One capability that the agent advertises. */
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

/** The optional features of an agent. A missing `streaming` counts as supported. */
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

/** One address of the agent, with its binding and version. */
export type A2AAgentInterface = {
  url: string;
  /** 'JSONRPC', 'HTTP+JSON', 'GRPC' or a URI. */
  protocolBinding: string;
  protocolVersion: string;
  tenant?: string | undefined;
};

/** The agent's description of itself. */
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
