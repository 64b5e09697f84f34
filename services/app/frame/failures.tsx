import { Heading } from '../elements/elements.js';
import { LinkedText } from '../elements/linked-text.js';
import type { Words } from '../words/words.js';
import type { Addresses } from './addresses.js';
import type { View } from './screen.js';

interface Shown {
  words: Words;
  to: Addresses;
}

/** Stands in for a screen that cannot be shown. */
export function failureView({ words, to }: Shown, { status, message }: { status: number; message?: string }): View {
  const { title, text } = wordsFor(words, status, message);
  return {
    title,
    status,
    main: (
      <>
        <Heading title={title} lead={<LinkedText text={text} />} />
        <p>
          <a class="button" href={to.home}>
            {words.frame.goHome}
          </a>
        </p>
      </>
    ),
  };
}

function wordsFor({ frame }: Words, status: number, message = ''): { title: string; text: string } {
  if (status === 404) return { title: frame.notFoundTitle, text: frame.notFoundText };
  if (status === 403) return { title: frame.forbiddenTitle, text: message };
  if (status >= 500 && status !== 501) return { title: frame.unavailableTitle, text: frame.unavailableText };
  return { title: frame.failedTitle, text: message };
}
