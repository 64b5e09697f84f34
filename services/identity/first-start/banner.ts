interface FirstStart {
  organization: string;
  /** The address of the first user. */
  email: string;
  /** The id of the handbook's space. */
  space: string;
  /** The API token of the first user, and the link that signs it in once. Null where `BOOTSTRAP_TOKEN` is set: then nothing that is secret is printed. */
  made: { token: string; link: string } | null;
}

const plain = /^[\w./:=@%+,-]+$/;

/** Quotes text as one word of a POSIX shell. */
const quoteShellWord = (text: string) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const bearerOfSetting = '"Authorization: Bearer $BOOTSTRAP_TOKEN"';

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
  const { organization, email, made, space } = first;
  const authorization = made ? quoteShellWord(`Authorization: Bearer ${made.token}`) : bearerOfSetting;
  const curlCommand = (path: string) => `curl -H ${authorization} ${quoteShellWord(`${baseUrl}${path}`)}`;
  return `
  Bindery is ready. ${made ? 'Open this link to sign in (once, within seven days)' : 'This command makes a link to sign in'}:

    ${made?.link ?? `npm run token -- link --email ${quoteShellWord(email)}`}

    URL           ${baseUrl}
    API reference ${baseUrl}/docs
    Handbook      ${site ?? `${baseUrl}/handbook`}
    Organization  ${organization}
    API token     ${made?.token ?? 'the value of BOOTSTRAP_TOKEN'}

  ${made ? 'The token is shown this once. Try' : 'Try'}:

    ${curlCommand('/v1/user')}

  The handbook is also the first space${handbook ? '' : ' as soon as the content service runs'}. Its pages:

    ${curlCommand(`/v1/spaces/${space}/content/pages`)}

`;
}
