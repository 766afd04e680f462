// How a template is refused. In: what is wrong. Out: an ArmError in the words of the deployment engine.
import { ArmError } from '../errors.ts';

export function invalidTemplate(reason: string): ArmError {
  return new ArmError(
    400,
    'InvalidTemplate',
    `Deployment template validation failed: '${reason}'.`,
  );
}

export function cannotEvaluate(reason: string): ArmError {
  return new ArmError(
    400,
    'InvalidTemplate',
    `Unable to process template language expressions: '${reason}'`,
  );
}

export function deploymentFailed(causes: readonly ArmError[]): ArmError {
  return new ArmError(
    409,
    'DeploymentFailed',
    'At least one resource deployment operation failed. Please list deployment operations for details. Please see https://aka.ms/arm-deployment-operations for usage details.',
    {
      details: causes.map(({ code, message, target }) => ({
        code,
        message,
        ...(target === undefined ? {} : { target }),
      })),
    },
  );
}
