export { createAdmission, type Admission, type AdmissionOptions } from './admission.ts';
