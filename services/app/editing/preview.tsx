import { renderToString } from 'preact-render-to-string';
import type { PreviewedPage } from '../../content/contract.js';
import { Emblem, Notice } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { Body, pageHtml, textLanguage } from '../reading/page-body.js';
import type { Place } from '../reading/places.js';
import { fill } from '../words/languages.js';

/** A text as a page, for the pane beside it. */
export async function previewHtml(request: ScreenRequest, place: Place, shown: PreviewedPage): Promise<string> {
  const { editing } = request.words;
  const { title, description, emoji, icon, problem, body } = shown;
  const html = await pageHtml(request, place, body);
  return renderToString(
    <>
      {problem !== undefined && <Notice kind="warning">{fill(editing.frontMatterProblem, problem)}</Notice>}
      <article {...textLanguage(place)}>
        <h1>
          {(emoji || icon) && <Emblem emoji={emoji} icon={icon} fallback="file-lines" />} {title ?? editing.untitled}
        </h1>
        {description && <p class="lead-text">{description}</p>}
        <Body html={html} />
      </article>
    </>,
  );
}
