//! What goes wrong, as the exceptions of `tensorsmith.errors`.

use pyo3::PyErr;
use pyo3::import_exception;

use tensorsmith::describe::unit::FileError;
use tensorsmith::engine::{EngineError, MatrixError};
use tensorsmith::infer::InferError;
use tensorsmith::recording::AnswersError;

import_exception!(tensorsmith.errors, AbsentEngine);
import_exception!(tensorsmith.errors, EngineFault);
import_exception!(tensorsmith.errors, InternalFault);
import_exception!(tensorsmith.errors, UnknownName);
import_exception!(tensorsmith.errors, WrongFile);
import_exception!(tensorsmith.errors, WrongLength);
import_exception!(tensorsmith.errors, WrongType);
import_exception!(tensorsmith.errors, WrongValue);

/// Why there is no answer, on a thread that knows no Python.
#[derive(Debug)]
pub enum Failure {
    Value(String),
    Type(String),
    Length(String),
    Name(String),
    File(String),
    /// This machine lacks the engine, or it does not compute that.
    Absent(String),
    Engine(String),
    Internal(String),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Value(text) => WrongValue::new_err(text),
            Failure::Type(text) => WrongType::new_err(text),
            Failure::Length(text) => WrongLength::new_err(text),
            Failure::Name(text) => UnknownName::new_err(text),
            Failure::File(text) => WrongFile::new_err(text),
            Failure::Absent(text) => AbsentEngine::new_err(text),
            Failure::Engine(text) => EngineFault::new_err(text),
            Failure::Internal(text) => InternalFault::new_err(text),
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine(error.to_string())
    }
}

impl From<MatrixError> for Failure {
    fn from(error: MatrixError) -> Failure {
        match error {
            MatrixError::Engine(error) => error.into(),
            MatrixError::Size { .. } => Failure::Length(error.to_string()),
            MatrixError::Dimension { .. } | MatrixError::Element { .. } | MatrixError::OtherUnit { .. } => {
                Failure::Value(error.to_string())
            }
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::File(error.to_string())
    }
}

impl From<AnswersError> for Failure {
    fn from(error: AnswersError) -> Failure {
        match error {
            AnswersError::Refused { .. } => Failure::File(error.to_string()),
            AnswersError::Subject { path, what, subjects } => {
                Failure::Value(format!("{path}: {what}; allowed: interface, one of {}", subjects.join(", ")))
            }
        }
    }
}

impl From<InferError> for Failure {
    fn from(error: InferError) -> Failure {
        match error {
            InferError::Engine(error) => error.into(),
            InferError::File(error) => error.into(),
            InferError::Solver(_) => Failure::Engine(error.to_string()),
            InferError::NotReadBack(_) => Failure::Internal(error.to_string()),
            // What answers, or its interface, is an argument. Of a recording the caller knows the path.
            InferError::Inconsistent { .. } | InferError::Contradictory { .. } | InferError::Interface(_) => {
                Failure::Value(error.to_string())
            }
        }
    }
}
