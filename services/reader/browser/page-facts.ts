/** Facts and words that the server leaves for the script in `<meta name="bindery">`. */
interface PageFacts {
  /** Path of the site, with a trailing slash. */
  base: string;
  words: Record<string, string>;
  page?: string;
  insights?: boolean;
  cookie?: boolean;
  /** Address of the privacy policy. */
  privacy?: string;
  /** Whether a search can be limited to the section. */
  scopes?: boolean;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="bindery"]')?.content ?? '{}';
export const facts: PageFacts = { base: '/', words: {}, ...JSON.parse(content) };

/** A text of the interface with what it is about. */
export const word = (key: string, ...about: string[]): string =>
  (facts.words[key] ?? '').replace(/\{(\d)\}/g, (_, at) => about[Number(at)] ?? '');
