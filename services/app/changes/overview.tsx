import type { VNode } from 'preact';
import type { ChangeRequestLink } from '../../content/resources.js';
import { comparisonOfChange } from '../differences/comparison.js';
import { DifferenceList } from '../differences/difference-list.js';
import { Empty, Heading, Menu, Section, sign, Time } from '../elements/elements.js';
import { Button, Field, Form, TextArea } from '../elements/forms.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { ScreenRequest, View } from '../frame/screen.js';
import { crumbsOf } from '../reading/around.js';
import { spaceTabs } from '../reading/space-tabs.js';
import { fill } from '../words/languages.js';
import { StatusBadge, subjectOf } from './change-status.js';
import { discussionOf } from './discussion.js';
import { MergePart } from './merge-part.js';
import { type Overview, overviewOf } from './overview-data.js';
import { ReviewPart } from './review-part.js';

/** All about one change request, and what the person who asks may do about it. */
export async function overviewView(request: ScreenRequest<'/s/{space}/~/changes/{number}'>): Promise<View> {
  const { words, path } = request;
  const overview = await overviewOf(request, path);
  const { place, differences } = overview;
  const { space, changeRequest } = place;
  const discussion = await discussionOf(request, overview);
  return {
    title: `#${changeRequest.number} ${subjectOf(words, changeRequest)}`,
    organization: space.organization,
    crumbs: [
      ...crumbsOf(request, { space }),
      { title: words.changes.title, href: request.to.changeRequests(space.id) },
    ],
    sidebar: spaceTabs(request, place),
    main: (
      <>
        <Top request={request} overview={overview} />
        {overview.description && (
          <div class="body text-body" dangerouslySetInnerHTML={{ __html: overview.description.html }} />
        )}
        {place.changeRequest.links && <Links links={place.changeRequest.links} />}
        <MergePart request={request} overview={overview} />
        <Section title={words.changes.changed} id="changes">
          {differences ? (
            <DifferenceList
              request={request}
              comparison={comparisonOfChange(request.to, place)}
              differences={differences}
            />
          ) : (
            <Empty>{words.differences.notKept}</Empty>
          )}
        </Section>
        <ReviewPart request={request} overview={overview} />
        {discussion}
      </>
    ),
  };
}

const Links = ({ links }: { links: readonly ChangeRequestLink[] }): VNode => (
  <ul class="plain-list">
    {links.map(({ ref: { url }, title }) => (
      <li>
        <a href={url} rel="noopener noreferrer">
          {title || url}
        </a>
      </li>
    ))}
  </ul>
);

interface Parts {
  request: ScreenRequest;
  overview: Overview;
}

function Top({ request, overview }: Parts): VNode {
  const { words, to, locale } = request;
  const { place, isChangeable, sites } = overview;
  const { space, changeRequest } = place;
  const { number, status, createdBy, createdAt } = changeRequest;
  return (
    <Heading
      title={
        <>
          {subjectOf(words, changeRequest)} <span class="number">#{number}</span>
        </>
      }
      lead={
        <>
          <StatusBadge words={words} status={status} /> {fill(words.changes.startedBy, createdBy.displayName)} ·{' '}
          <Time iso={createdAt} locale={locale} />
        </>
      }
    >
      <a class="button" href={to.changedPage(space.id, number, '')}>
        {sign('book-open')} {words.changes.read}
      </a>
      {isChangeable && space.permissions.edit && (
        <a class="button" href={to.tree(space.id, number)}>
          {sign('sitemap')} {words.changes.pages}
        </a>
      )}
      <More request={request} overview={overview}>
        {sites.map(({ id, title }) => (
          <a href={to.previewOf(space.id, number, id)}>{fill(words.changes.preview, title)}</a>
        ))}
      </More>
    </Heading>
  );
}

/** Holds what is done less often: previews, another subject, another status. */
function More({ request, overview, children }: Parts & { children: VNode[] }): VNode | null {
  const { words, formToken } = request;
  const sent = fieldsSentBy(request, 'rename');
  const { description, isChangeable, place } = overview;
  const { permissions } = place.space;
  const { status, subject } = place.changeRequest;
  if (!permissions.edit || status === 'merged') return null;
  return (
    <Menu label={sign('ellipsis')} name={words.frame.more} open={sent !== undefined}>
      {children}
      {isChangeable && (
        <Form token={formToken} action="rename">
          <Field
            label={words.changes.subject}
            name="subject"
            value={sent?.text('subject') ?? subject}
            maxLength={100}
          />
          <TextArea
            label={words.editor.description}
            name="description"
            value={sent?.raw('description') ?? description?.markdown}
            maxLength={20_000}
          />
          <Button>{words.frame.save}</Button>
        </Form>
      )}
      <Form token={formToken}>
        {status === 'open' && <Button action="draft">{words.changes.backToDraft}</Button>}
        {status === 'draft' && <Button action="open">{words.changes.openForReview}</Button>}
        {isChangeable && (
          <Button action="archive" kind="danger" confirm={words.changes.archiveAsk}>
            {words.changes.archive}
          </Button>
        )}
        {status === 'archived' && <Button action="open">{words.changes.reopen}</Button>}
      </Form>
    </Menu>
  );
}
