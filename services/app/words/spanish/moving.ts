import type { Translation } from '../words.js';

export const spanishMoving: Translation['moving'] = {
  move: 'Mover',
  moveText: 'Donde el acceso se hereda, pasa a ser el del nuevo lugar.',
  to: 'A',
  order: 'Orden',
  place: 'Posición',
  first: 'Primero',
  after: 'Después de «{0}»',
  copy: 'Hacer una copia',
  copyText: 'Con sus páginas y ajustes, sin historial, solicitudes de cambio ni comentarios.',
  transfer: 'Transferir a otra organización',
  transferText:
    'Todo su contenido va con él. Quien no sea miembro allí pierde el acceso, también los equipos e integraciones, y los enlaces desde otros espacios dejan de funcionar. Donde el acceso se hereda, lo tienen todos los miembros de allí.',
  organization: 'Organización',
  transferConfirm: '¿Transferir «{0}» a otra organización?',
};

export const spanishTemplates: Translation['templates'] = {
  template: 'Plantilla',
  none: 'Vacío',
  begin: 'Empezar con una plantilla',
  apply: 'Rellenar el espacio',
  documentation: 'Documentación',
  apiReference: 'Referencia de API',
  knowledgeBase: 'Base de conocimientos',
  changelog: 'Registro de cambios',
};
