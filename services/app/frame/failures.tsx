import { Heading } from '../elements/elements.js';
import { LinkedText } from '../elements/linked-text.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';
import { here } from './here.js';
import type { View } from './screen.js';
import type { Visit } from './visit.js';

type Shown = Pick<Visit, 'words' | 'to' | 'request' | 'url'>;

/** Stands in for a screen that cannot be shown. A fault of ours is in the log, with the request that the screen names. */
export function failureView(
  { words, to, request, url }: Shown,
  { status, message }: { status: number; message?: string },
): View {
  const { title, text } = wordsFor(words, status, message);
  // A form is sent to the address of the screen that it is on.
  const mayGoBack = request.method === 'POST' && status !== 404;
  return {
    title,
    status,
    main: (
      <>
        <Heading title={title} lead={<LinkedText text={text} />} />
        {isFault(status) && <p class="hint-text">{fill(words.frame.requestId, request.requestId)}</p>}
        <p>
          {mayGoBack && (
            <>
              <a class="button primary" href={here({ url: url.pathname, query: url.searchParams })}>
                {words.frame.goBack}
              </a>{' '}
            </>
          )}
          <a class="button" href={to.home}>
            {words.frame.goHome}
          </a>
        </p>
      </>
    ),
  };
}

const isFault = (status: number): boolean => status >= 500 && status !== 501;

function wordsFor({ frame }: Words, status: number, message = ''): { title: string; text: string } {
  if (status === 404) return { title: frame.notFoundTitle, text: frame.notFoundText };
  if (status === 403) return { title: frame.forbiddenTitle, text: message };
  if (isFault(status)) return { title: frame.unavailableTitle, text: frame.unavailableText };
  return { title: frame.failedTitle, text: message };
}
