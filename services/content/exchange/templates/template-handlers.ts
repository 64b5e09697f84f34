import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { templateOperations } from '../contract/templates.js';
import { applyTemplate } from './apply-template.js';

export const templateHandlers = (deps: Parameters<typeof applyTemplate>[0]): HandlersOf<typeof templateOperations> => ({
  async applyTemplateToSpace({ path: { spaceId: space }, body }, { caller, access: { organization }, audit }) {
    const { id: template, changeRequestId: changeRequest } = body;
    await applyTemplate(deps, { organization, space, changeRequest, template, caller, audit });
  },
});
