import type { Translation } from '../words.js';

export const norwegianMoving: Translation['moving'] = {
  move: 'Flytt',
  moveText: 'Der tilgangen arves, blir den som på det nye stedet.',
  to: 'Til',
  order: 'Rekkefølge',
  place: 'Plass',
  first: 'Først',
  after: 'Etter «{0}»',
  copy: 'Lag en kopi',
  copyText: 'Med sider og innstillinger, uten historikk, endringsforslag og kommentarer.',
  transfer: 'Overfør til en annen organisasjon',
  transferText:
    'Alt i det følger med. De som ikke er medlem der, mister tilgangen, det samme gjør team og integrasjoner, og lenker fra andre områder slutter å virke. Der tilgangen arves, får alle medlemmer der den.',
  organization: 'Organisasjon',
  transferConfirm: 'Overføre «{0}» til en annen organisasjon?',
};

export const norwegianTemplates: Translation['templates'] = {
  template: 'Mal',
  none: 'Tomt',
  begin: 'Begynn med en mal',
  apply: 'Fyll området',
  documentation: 'Dokumentasjon',
  apiReference: 'API-referanse',
  knowledgeBase: 'Kunnskapsbase',
  changelog: 'Endringslogg',
};
