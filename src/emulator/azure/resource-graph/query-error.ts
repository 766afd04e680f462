// How Resource Graph refuses a query: one BadRequest, with what is wrong in its details. In: what is wrong. Out: an ArmError
// without the ids of support, which the handler's own headers carry.
import { ArmError, type ArmErrorDetail } from '../errors.ts';

const invalidQuery: ArmErrorDetail = {
  code: 'InvalidQuery',
  message:
    'Query is invalid. Please refer to the documentation for the Azure Resource Graph service and fix the error before retrying.',
};

function refusal(...details: readonly ArmErrorDetail[]): ArmError {
  return new ArmError(
    400,
    'BadRequest',
    'Please provide below info when asking for support: see the headers of this response.',
    { details },
  );
}

/** What the grammar does not know at that place. */
export function parserFailure(token: string, position: number): ArmError {
  const at = token === '' ? 'the end of the query' : `'${token}'`;
  return refusal(invalidQuery, {
    code: 'ParserFailure',
    message: `ParserFailure at character ${position}: unexpected ${at}.`,
    target: token,
  });
}

/** Grammatical, but not offered: by the service, or by this emulation of it. */
export function disallowed(code: string, message: string): ArmError {
  return refusal(invalidQuery, { code, message });
}

export function invalidArgument(code: string, message: string): ArmError {
  return refusal({ code, message });
}
