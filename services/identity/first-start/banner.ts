interface FirstStart {
  organization: string;
  /** Null where `BOOTSTRAP_TOKEN` sets it. */
  token: string | null;
  /** The id of the handbook's space. */
  space: string;
  /** The code of a link that signs the first user in, once. */
  code: string;
}

const plain = /^[\w./:=@%+,-]+$/;

/** Quotes text as one word of a POSIX shell. */
const quoteShellWord = (text: string) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

interface Banner {
  baseUrl: string;
  first: FirstStart;
  /** Whether the handbook is imported. */
  handbook: boolean;
  /** Where the site of the handbook is; null where no browser finds it. */
  site: string | null;
}

/** Words the banner: addresses to open in a browser, first the one that signs in, and commands to paste for addresses that need the token. */
export function firstStartBanner({ baseUrl, first, handbook, site }: Banner): string {
  const { organization, token, space, code } = first;
  const curlCommand = (path: string) =>
    token === null
      ? `curl -H "Authorization: Bearer $BOOTSTRAP_TOKEN" ${quoteShellWord(`${baseUrl}${path}`)}`
      : `curl -H ${quoteShellWord(`Authorization: Bearer ${token}`)} ${quoteShellWord(`${baseUrl}${path}`)}`;
  return `
  Bindery is ready. Open this link to sign in (once, within seven days):

    ${baseUrl}/app/sign-in?code=${code}

    URL           ${baseUrl}
    API reference ${baseUrl}/docs
    Handbook      ${site ?? `${baseUrl}/handbook`}
    Organization  ${organization}
    API token     ${token ?? 'the value of BOOTSTRAP_TOKEN'}

  ${token === null ? 'Try' : 'The token is shown this once. Try'}:

    ${curlCommand('/v1/user')}

  The handbook is also the first space${handbook ? '' : ' as soon as the content service runs'}. Its pages:

    ${curlCommand(`/v1/spaces/${space}/content/pages`)}

`;
}
