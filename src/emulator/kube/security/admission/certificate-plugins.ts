// Who may have which certificates approved and signed. In: writes of CertificateSigningRequests. Out: nothing, or a 403.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { sameJson, at } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from '../../ports.ts';
import { forbidden, type StatusError } from '../../status-error.ts';
import { signers } from '../signing/signers.ts';
import { requestOf, signerOf } from '../signing/signing-request.ts';
import { wellKnownGroups } from '../user.ts';

const group = 'certificates.k8s.io';
const resource = 'certificatesigningrequests';

export function certificatePlugins(authorizer: Authorizer): readonly AdmissionPlugin[] {
  return [
    {
      name: 'CertificateApproval',
      validate(_object, request) {
        if (isUpdateOf(request, 'approval')) checkSigner(authorizer, 'approve', request);
      },
    },
    {
      name: 'CertificateSigning',
      validate(object, request) {
        if (!isUpdateOf(request, 'status') || isSameStatus(object, request.before)) return;
        checkSigner(authorizer, 'sign', request);
      },
    },
    { name: 'CertificateSubjectRestriction', validate: checkSubject },
  ];
}

function isUpdateOf(request: AdmissionRequest, subresource: string): boolean {
  return (
    request.group === group &&
    request.resource === resource &&
    request.operation === 'UPDATE' &&
    request.subresource === subresource
  );
}

function isSameStatus(object: ApiObject, before: ApiObject | undefined): boolean {
  return ['certificate', 'conditions'].every((field) =>
    sameJson(at(object, 'status', field) ?? null, at(before, 'status', field) ?? null),
  );
}

function checkSigner(
  authorizer: Authorizer,
  verb: 'approve' | 'sign',
  request: AdmissionRequest,
): void {
  // Of the object as it was: a write cannot choose the signer that it is judged by.
  const signer = request.before === undefined ? '' : signerOf(request.before);
  const [domain = ''] = signer.split('/');
  const isAllowed = [signer, `${domain}/*`].some(
    (name) =>
      authorizer.authorize({
        user: request.context.user,
        verb,
        resource: {
          group,
          version: '*',
          resource: 'signers',
          subresource: '',
          namespace: '',
          name,
        },
        path: '',
      }).allowed,
  );
  if (isAllowed) return;
  throw refusal(request, `user not permitted to ${verb} requests with signerName ${quote(signer)}`);
}

/** Nobody becomes a master by a certificate that anybody could approve. */
function checkSubject(object: ApiObject, request: AdmissionRequest): void {
  const isNew = request.operation === 'CREATE' && request.subresource === '';
  if (request.group !== group || request.resource !== resource || !isNew) return;
  if (signerOf(object) !== signers.client) return;
  const parsed = requestOf(object);
  if (typeof parsed === 'string') throw refusal(request, `failed to parse CSR: ${parsed}`);
  if (!parsed.subject.organizations.includes(wellKnownGroups.masters)) return;
  throw refusal(
    request,
    `use of ${signers.client} signer with system:masters group is not allowed`,
  );
}

function refusal(request: AdmissionRequest, why: string): StatusError {
  return forbidden({ group, resource }, request.name, why);
}
