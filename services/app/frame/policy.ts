interface Guarded {
  /** The folder of our scripts: no upload is in it. `http:` stands for `https:` as well, which a proxy in front may speak. */
  scripts: string;
  /** Origins of frames in the screen. */
  frames: readonly string[];
  styleNonce: string | undefined;
}

/** Names all that a screen may load. Uploads have the same origin, so that scripts are named by their folder. */
export const policyFor = ({ scripts, frames, styleNonce }: Guarded): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`,
    "img-src 'self' https: http: data: blob:",
    "font-src 'self'",
    "media-src 'self' https:",
    "connect-src 'self'",
    `frame-src ${frames.length > 0 ? frames.join(' ') : "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types bindery',
  ].join('; ');
