import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { apiError, notFound } from '../../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { signedTokens } from '../../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { printingOperations } from '../contract/printing.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { type PrintLink, printedPages, visitorOfLink } from './print-links.js';
import { viewOfVisitor } from './visited-view.js';

/** Seconds that an address is valid. */
const lifetime = 3600;

export interface HasPrinting extends HasStore, HasRevisions, HasViews, HasSecrets {
  baseUrl: string;
  /** Why this installation makes no PDFs. */
  withoutPdfs: string | undefined;
}

interface PrintRequest {
  path: { spaceId: string; changeRequestId?: string };
  query: { page?: string | undefined; only: boolean };
}

export const printTokens = ({ secrets, baseUrl }: HasPrinting) =>
  signedTokens(secrets, { purpose: 'print-link', issuer: baseUrl });

/** The operations that give addresses of PDFs. */
export function printHandlers(deps: HasPrinting): HandlersOf<typeof printingOperations> {
  const tokens = printTokens(deps);
  const urlFor = async ({ path, query }: PrintRequest, { caller, access: { organization } }: Context) => {
    if (deps.withoutPdfs !== undefined) throw apiError('PRECONDITION_FAILED', deps.withoutPdfs);
    const { spaceId: space, changeRequestId } = path;
    const link: PrintLink = {
      organization,
      space,
      ...(changeRequestId === undefined
        ? {}
        : { changeRequest: (await findChangeRequest(deps.store, { spaceId: space, changeRequestId }))._id }),
      ...(query.page === undefined ? {} : { page: query.page, ...(query.only ? { only: true } : {}) }),
      ...(caller.kind === 'user' ? { user: caller.user } : {}),
    };
    const { view } = await viewOfVisitor(deps, visitorOfLink(link));
    if (printedPages(view, link).length === 0) throw notFound('Page');
    return { url: `${deps.baseUrl}/~reader/pdf?token=${await tokens.sign({ ...link }, lifetime)}` };
  };
  return { getSpacePDF: urlFor, getChangeRequestPDF: urlFor };
}
