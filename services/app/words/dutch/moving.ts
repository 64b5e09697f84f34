import type { Translation } from '../words.js';

export const dutchMoving: Translation['moving'] = {
  move: 'Verplaatsen',
  moveText: 'Waar de toegang wordt overgenomen, geldt daarna die van de nieuwe plek.',
  to: 'Naar',
  order: 'Volgorde',
  place: 'Plaats',
  first: 'Eerst',
  after: 'Na ‘{0}’',
  copy: 'Kopie maken',
  copyText: 'Met de pagina’s en instellingen, zonder geschiedenis, wijzigingsverzoeken en opmerkingen.',
  transfer: 'Overdragen aan een andere organisatie',
  transferText:
    'Alles erin gaat mee. Wie daar geen lid is, verliest de toegang, net als teams en integraties, en links vanuit andere ruimtes werken niet meer. Waar de toegang wordt overgenomen, hebben alle leden daar die.',
  organization: 'Organisatie',
  transferConfirm: '‘{0}’ overdragen aan een andere organisatie?',
};

export const dutchTemplates: Translation['templates'] = {
  template: 'Sjabloon',
  none: 'Leeg',
  begin: 'Beginnen met een sjabloon',
  apply: 'Ruimte vullen',
  documentation: 'Documentatie',
  apiReference: 'API-referentie',
  knowledgeBase: 'Kennisbank',
  changelog: 'Wijzigingen',
};
