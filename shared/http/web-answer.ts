/** An answer for a browser, as a service behind the gateway makes it. */
export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body?: string;
  /** `body` is in this coding: for fonts. */
  coding?: 'base64';
  /** Equal for equal bodies: makes an ETag, and a name under which compressed bodies are kept. */
  name?: string;
  /** A sign for the metrics: `page`, `asset`, `feed`, `search`, `redirect`, `missing` … */
  kind: string;
}
