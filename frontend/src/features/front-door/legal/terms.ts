import type { LegalDocument } from './legal-text';
import { TERMS_OF_DISPUTES } from './terms-disputes';
import { TERMS_OF_USE } from './terms-use';

export const TERMS: LegalDocument = {
  title: 'Terms of Use',
  effective: 'Effective 17 May 2021',
  summary:
    'These terms are a contract between you and the operator of this installation of Roughmix (“we”). By creating an account or using the service you accept them. They contain an [agreement to arbitrate](#arbitration), which limits how disputes are decided.',
  sections: [...TERMS_OF_USE, ...TERMS_OF_DISPUTES],
};
