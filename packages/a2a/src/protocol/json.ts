/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object with members of any name. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
